/**
 * Every name that another package can import, by entry. A line here is an API decision: it changes together with a
 * changeset, and an existing name only with a new major version (until 1.0: a new minor).
 */
export interface PublicNames {
  values: readonly string[];
  types: readonly string[];
}

export const PUBLIC_NAMES: Readonly<Record<string, PublicNames>> = {};
