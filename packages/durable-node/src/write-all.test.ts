import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DURABLE_ERROR_CODES, DurableError, errnoOf, sha256, writeAll } from './index.ts';
import { folder, tinyDisk } from './test-support/folders.ts';

describe('writeAll', () => {
  it('writes at the end and at a position', () => {
    const path = join(folder(), 'f');
    const fd = openSync(path, 'w+');
    writeAll(fd, Buffer.from('hello '));
    writeAll(fd, Buffer.from('world'));
    writeAll(fd, Buffer.from('J'), 0);
    closeSync(fd);
    expect(readFileSync(path, 'utf8')).toBe('Jello world');
  });

  it('[D5] tells the code that a short write had swallowed', ({ skip }) => {
    const disk = tinyDisk(64 * 1024);
    if ('notRun' in disk) return skip(disk.notRun);
    const path = join(disk.path, 'f');
    const fd = openSync(path, 'w');
    try {
      expect(() => writeAll(fd, Buffer.alloc(100_000))).toThrow(
        expect.objectContaining({ code: 'ioFailed', errno: 'ENOSPC' }),
      );
    } finally {
      closeSync(fd);
    }
    expect(statSync(path).size).toBeLessThan(100_000);
  });
});

describe('errors', () => {
  it('freezes the codes', () => {
    expect(DURABLE_ERROR_CODES).toEqual([
      'invalidArgument',
      'ioFailed',
      'uncertain',
      'sealed',
      'notAFile',
      'replaced',
      'tooLong',
      'closed',
    ]);
  });

  it('knows its errors by brand, not by class', () => {
    const stranger = { [Symbol.for('@backstitch/DurableError')]: true };
    expect(
      [new DurableError('closed', ''), stranger, new Error(), null, 'x'].map(DurableError.isInstance),
    ).toEqual([true, true, false, false, false]);
  });

  it("tells the system's code, and no other", () => {
    const system = Object.assign(new Error(), { code: 'ENOSPC' });
    const wrapped = new DurableError('ioFailed', 'x', { errno: 'EIO', cause: system });
    const node = Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' });
    expect([system, wrapped, node, new DurableError('closed', 'x'), { code: 5 }, null].map(errnoOf)).toEqual([
      'ENOSPC',
      'EIO',
      null,
      null,
      null,
      null,
    ]);
  });

  it('hashes', () => {
    expect(sha256(Buffer.from('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
