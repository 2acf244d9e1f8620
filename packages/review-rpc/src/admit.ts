import type { MethodKey } from './calls.ts';
import type { MethodCapability, ReviewMethod, Role } from './method.ts';
import { ROLES } from './method.ts';
import { Refusal } from './refusal.ts';
import * as registry from './registry.ts';
import { type MethodSchema, methodSchemas } from './schema.ts';

/** A method whose params were checked by its own schema, which is what makes `never` sound. */
export type ServedMethod = ReviewMethod<never, unknown>;

interface Served {
  method: ServedMethod;
  schema: MethodSchema;
}

const MAX_REASON_LENGTH = 500;

const SERVED: ReadonlyMap<string, Served> = new Map(
  Object.entries(registry).map(([key, method]) => [
    method.name,
    { method: method as ServedMethod, schema: methodSchemas[key as MethodKey] },
  ]),
);

export function methodsOf(role: Role): string[] {
  return [...SERVED.values()].flatMap(({ method }) =>
    mayCall(role, method.capability) ? [method.name] : [],
  );
}

/** @throws Refusal where there is no such method, the role may not call it, or its params are not lawful */
export function admit(role: Role, name: string, params: object): ServedMethod {
  const served = SERVED.get(name);
  if (served === undefined) {
    throw new Refusal('methodNotFound', 'There is no such method. `review.discover` lists those there are.');
  }
  if (!mayCall(role, served.method.capability)) {
    throw new Refusal('notAllowed', `${name} is not served to a connection of the role ${role}.`);
  }
  const checked = served.schema.params.safeParse(params);
  if (checked.success) return served.method;
  const reasons = checked.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'params'}: ${message}`,
  );
  throw new Refusal('invalidParams', `${name}: ${reasons.join('; ').slice(0, MAX_REASON_LENGTH)}.`);
}

function mayCall(role: Role, capability: MethodCapability): boolean {
  return ROLES[role].includes(capability);
}
