import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLockProvider,
  makeDirectory,
  openLineLog,
  openPack,
  readBounded,
  readLineLog,
  replaceFile,
  sha256,
} from '@backstitch/durable-node';

const directory = mkdtempSync(join(tmpdir(), 'consumer-'));
try {
  const file = join(directory, 'settings.json');
  const bytes = new TextEncoder().encode('{"a":1}\n');
  await replaceFile(file, bytes, { mode: 0o600 });
  assert.equal(readFileSync(file, 'utf8'), '{"a":1}\n');
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const read = await readBounded(file, { cap: 1024 });
  assert.ok(read.kind === 'file' && read.digest === sha256(bytes));

  const path = join(directory, 'log.jsonl');
  const log = await openLineLog({ path });
  await log.append(['{"n":1}', '{"n":2}']);
  await log.sync();
  await log.close();
  const values: unknown[] = [];
  for await (const entry of readLineLog(path)) if ('value' in entry) values.push(entry.value);
  assert.deepEqual(values, [{ n: 1 }, { n: 2 }]);

  await makeDirectory(join(directory, 'pack'));
  const pack = await openPack({ directory: join(directory, 'pack') });
  const locator = await pack.put(sha256(bytes), bytes);
  await pack.sync();
  assert.deepEqual(Buffer.from((await pack.get(locator)) ?? []), Buffer.from(bytes));
  await pack.close();

  const locks = createLockProvider({ directory: join(directory, 'locks') });
  const lock = await locks.acquire('one');
  assert.ok(!('busy' in lock) && lock.holds());
  lock.release();
  console.log('ok');
} finally {
  rmSync(directory, { recursive: true });
}
