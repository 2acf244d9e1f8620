import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, makeSandbox, publishAfter, stateFor } from './sandbox.fixture.ts';

describe('a rewrite with the same bytes', () => {
  it.runIf(process.getuid?.() === 0)(
    'by another owner is a conflict: its owner would silently change',
    async () => {
      const box = makeSandbox();
      const file = box.put('a.txt', 'old');
      const result = await publishAfter(await box.open(), 'a.txt', fileOf('new'), () =>
        fs.chownSync(file, 1234, 1234),
      );
      expect(result).toMatchObject({ published: false, reason: 'changedOnDisk' });
      expect([box.text('a.txt'), fs.statSync(file).uid]).toEqual(['old', 1234]);
    },
  );

  it('reports the state that was published', async () => {
    const box = makeSandbox();
    box.put('a.txt', 'old', 0o640);
    const result = await publishAfter(await box.open(), 'a.txt', fileOf('new'), () => {
      box.put('other', 'old');
      fs.renameSync(path.join(box.root, 'other'), path.join(box.root, 'a.txt'));
      fs.chmodSync(path.join(box.root, 'a.txt'), 0o640);
    });
    expect(result).toEqual({ published: true, state: stateFor('new', 0o640) });
  });
});
