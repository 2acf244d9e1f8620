import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// An upper bound for what has to happen, not a time that is asserted: a busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  if (typeof document !== 'undefined') cleanup();
});
