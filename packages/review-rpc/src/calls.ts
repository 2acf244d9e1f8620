import type { ReviewMethod } from './method.ts';

/** The registry as types: nothing here is written by method. */
export type Registry = typeof import('./registry.ts');

export type MethodKey = keyof Registry;
export type MethodName = `review.${MethodKey}`;

/** The notification that a host sends; a server's `authorize` is asked about it too. */
export const CHANGED = 'review.changed';

export type ParamsOf<Method> = Method extends ReviewMethod<infer Params, infer _Result> ? Params : never;
export type ResultOf<Method> = Method extends ReviewMethod<infer _Params, infer Result> ? Result : never;

/** The part of an `AbortSignal` that a call needs. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface CallOptions {
  /**
   * Ends the call with the kind `cancelled`. The host stops waiting too, save for a change of state that has
   * begun: that is carried out, whoever still listens.
   */
  signal?: CancelSignal;
}

/** A method as the client has it; params may be left out where all of them may. */
type Call<Params, Result> =
  Record<never, never> extends Params
    ? (params?: Params, options?: CallOptions) => Promise<Result>
    : (params: Params, options?: CallOptions) => Promise<Result>;

/** Every method of the registry. */
export type ReviewCalls = {
  [Key in MethodKey]: Call<ParamsOf<Registry[Key]>, ResultOf<Registry[Key]>>;
};
