import { describe, expect, it } from 'vitest';
import { CORPUS } from '../test/corpus.ts';
import { createWire } from '../test/wire.ts';
import type { MethodKey } from './calls.ts';
import { methodSchemas } from './schema.ts';

describe.each(Object.entries(CORPUS))('%s', (key, { accepted, rejected }) => {
  const method = `review.${key}`;

  it.each(accepted)('takes %j', async (params) => {
    const wire = createWire();
    const { result, error } = await wire.ask(method, params);
    // An unknown session is the service's to refuse; the params were lawful.
    if (error !== undefined) expect(error.data.kind).toBe('unknownRecord');
    else expect(methodSchemas[key as MethodKey].result.safeParse(result).error).toBeUndefined();
    if (key !== 'discover')
      expect(wire.service.calls).toEqual([{ verb: key, params: JSON.parse(JSON.stringify(params)) }]);
  });

  it.each(rejected)('refuses %j', async (params) => {
    const wire = createWire();
    const { error } = await wire.ask(method, params);
    expect(error).toMatchObject({ code: -32602, data: { kind: 'invalidParams' } });
    expect(error?.message).toMatch(new RegExp(`^review\\.${key}: .+\\.$`));
    expect(wire.service.calls).toEqual([]);
    expect((await wire.ask('review.discover')).result).toMatchObject({ protocol: 1 });
  });
});
