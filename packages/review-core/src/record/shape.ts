/**
 * Checks of plain data without a schema library: they run for each record of a journal, also in a process that
 * lives for a few milliseconds. A check answers null, or where and why the value does not fit. It never throws
 * on data that JSON can carry, and unknown members are none of its business.
 */
export type Check = (value: unknown) => string | null;

export const text: Check = (value) => (typeof value === 'string' ? null : ' is not a string');

export const bool: Check = (value) => (typeof value === 'boolean' ? null : ' is not true or false');

export const integer: Check = integerFrom(0);

export function integerFrom(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : ` is not a whole number of at least ${least}`;
}

export function matching(pattern: RegExp, what: string): Check {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : ` is not ${what}`);
}

export function nullable(check: Check): Check {
  return (value) => (value === null ? null : check(value));
}

export function oneOf(allowed: readonly unknown[]): Check {
  return (value) => (allowed.includes(value) ? null : ' is not one of the known values');
}

export function arrayOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return ' is not a list';
    for (const [index, item] of value.entries()) {
      const fault = check(item);
      if (fault !== null) return `[${index}]${fault}`;
    }
    return null;
  };
}

export function object(members: Record<string, Check>): Check {
  const checks = Object.entries(members);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' is not an object';
    for (const [name, check] of checks) {
      const fault = Object.hasOwn(value, name)
        ? check((value as Record<string, unknown>)[name])
        : ' is missing';
      if (fault !== null) return `.${name}${fault}`;
    }
    return null;
  };
}
