import { digest } from '../digest.ts';
import { randomUuid } from '../platform.ts';
import type { Environment } from '../ports/environment.ts';

export function environmentOf(given: Partial<Environment> = {}): Environment {
  return {
    now: given.now ?? (() => new Date().toISOString()),
    newId: given.newId ?? randomUuid,
    digest: given.digest ?? digest,
  };
}
