import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** What a page bundles that talks to a host over a WebSocket. */
async function bundle(contents: string, splitting = false) {
  const result = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', splitting, outdir: '/out' },
    ...{ conditions: ['@backstitch/source'], metafile: true, write: false },
  } as const);
  const { outputs } = result.metafile;
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  return { entry, outputs, size: gzipSync(result.outputFiles[0]!.contents, { level: 9 }).byteLength };
}

const CLIENT = `
  import { createReconnectingTransport, createReviewClient, webSocketTransport } from '@backstitch/review-rpc';
  globalThis.client = createReviewClient(
    createReconnectingTransport(() => webSocketTransport(new WebSocket('ws://127.0.0.1/'))),
  );`;

it('a client with a WebSocket is at most 6 KB gzipped, without zod, without core, without the server', async () => {
  const { outputs, size } = await bundle(CLIENT);
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.filter((file) => /node_modules|review-core/.test(file))).toEqual([]);
  expect(inputs.filter((file) => /(?:server|connection|admit|fields|schema)\.ts$/.test(file))).toEqual([]);
  expect(size).toBeLessThanOrEqual(6 * 1024);
});

it('importing the whole entry loads neither zod nor what serves: they wait until a server is made', async () => {
  const { outputs, entry } = await bundle(
    `import * as rpc from '@backstitch/review-rpc'; globalThis.rpc = rpc;`,
    true,
  );
  const atOnce = [entry!];
  for (const output of atOnce) {
    const next = output.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => outputs[path]!);
    atOnce.push(...next.filter((each) => !atOnce.includes(each)));
  }
  const inputs = atOnce.flatMap((output) => Object.keys(output.inputs));
  expect(inputs.some((file) => file.endsWith('/server.ts'))).toBe(true);
  expect(inputs.filter((file) => /node_modules|review-core|connection\.ts$|fields\.ts$/.test(file))).toEqual(
    [],
  );
  expect(entry?.imports.filter(({ kind }) => kind === 'dynamic-import')).toHaveLength(1);
});
