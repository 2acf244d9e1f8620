import type { ReactNode } from 'react';
import { Component } from 'react';
import { messageOf } from '../store/state.ts';

export interface ErrorBoundaryProps {
  /** Another value tries again: what could not be drawn may have been mended. */
  resetKey: unknown;
  fallback: (message: string, retry: () => void) => ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  message: string | null;
  resetKey: unknown;
}

/** One record that can't be drawn takes its own place only; everything beside it lives on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, BoundaryState> {
  override state: BoundaryState = { message: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { message: messageOf(error) };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: BoundaryState): BoundaryState | null {
    return Object.is(props.resetKey, state.resetKey) ? null : { message: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return this.props.fallback(message, () => this.setState({ message: null }));
  }
}
