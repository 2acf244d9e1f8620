/**
 * Loaded before a program of ours, it stands between it and the disk. `BACKSTITCH_FAIL` is `<n>,<part>`: the n-th sync
 * of a file whose path holds the part fails with EIO, as on a dying disk. `BACKSTITCH_TRACE` names a file that gets the
 * path of each sync.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { BACKSTITCH_FAIL = '0,', BACKSTITCH_TRACE } = process.env;
const [ordinal, part] = BACKSTITCH_FAIL.split(',') as [string, string];
let seen = 0;

function standBefore(call: 'fsync' | 'fdatasync'): void {
  const real = fs[call];
  const stand = (fd: number, done: fs.NoParamCallback): void => {
    const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
    if (BACKSTITCH_TRACE !== undefined) fs.appendFileSync(BACKSTITCH_TRACE, `${path}\n`);
    if (path.includes(part)) seen += 1;
    const fails = path.includes(part) && seen === Number(ordinal);
    if (fails) done(Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO', syscall: call }));
    else real(fd, done);
  };
  fs[call] = stand as typeof fs.fsync & typeof fs.fdatasync;
}

standBefore('fsync');
standBefore('fdatasync');
syncBuiltinESMExports();
