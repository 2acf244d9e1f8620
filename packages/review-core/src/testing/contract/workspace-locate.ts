import assert from 'node:assert/strict';
import { isRefused } from '../../ports/workspace.ts';
import type { Contract } from './runner.ts';
import { tester, utf8 } from './runner.ts';
import type { WorkspaceSetup } from './workspace.ts';
import { OLD, state } from './workspace-files.ts';

export function locateTests(contract: Contract<WorkspaceSetup>): void {
  const test = tester(contract);

  test('relative and absolute spellings are one place', async ({ workspace }) => {
    const located = { root: workspace.root, path: 'd/a.txt', scope: 'workspace' };
    for (const path of ['d/a.txt', `${workspace.root}/d/a.txt`]) {
      const answer = await workspace.locate(path);
      assert.ok(!isRefused(answer), JSON.stringify(answer));
      const { root, path: canonical, scope } = answer;
      assert.deepEqual({ root, path: canonical, scope }, located);
      assert.equal(answer.absolutePath, `${workspace.root}/d/a.txt`);
    }
  });

  test('[D8] what is not a path inside the root is refused, and told', async (setup) => {
    const { workspace } = setup;
    await setup.put('file', OLD);
    await setup.putLink('link', '/');
    const refusals: [string, string[]][] = [
      ['..', ['outsideRoot', 'invalidName']],
      ['../x', ['outsideRoot', 'invalidName']],
      ['d/../../x', ['outsideRoot', 'invalidName']],
      ['/elsewhere/x', ['outsideRoot']],
      [`${workspace.root}-twin/x`, ['outsideRoot']],
      [workspace.root, ['rootItself']],
      ['nul\0', ['invalidName']],
      ['file/x', ['notADirectory']],
      ['link/x', ['link']],
      ['.git/config', ['denied', 'reservedName']],
      ['d/.GIT/config', ['denied', 'reservedName']],
      ['x'.repeat(300), ['nameTooLong']],
    ];
    for (const [path, reasons] of refusals) {
      for (const answer of [
        await workspace.locate(path),
        await workspace.read(path),
        await workspace.lock([path]),
      ]) {
        assert.ok(isRefused(answer), `not refused: ${path}`);
        assert.ok(reasons.includes(answer.refused), `${path}: ${answer.refused}`);
        assert.notEqual(answer.message, '');
      }
    }
  });

  test('reading tells what stands there', async (setup) => {
    const { workspace } = setup;
    await setup.put('a', OLD, 0o640);
    await setup.putLink('l', 'a');
    await setup.putDirectory('d');
    assert.deepEqual(await workspace.read('none'), { at: 'absent' });
    assert.deepEqual(await workspace.read('none/below'), { at: 'absent' });
    const seen = await workspace.read('a');
    assert.ok('at' in seen && seen.at === 'file');
    assert.deepEqual(seen.state, await state(OLD, 0o640));
    assert.deepEqual([new Uint8Array(seen.bytes!), seen.links], [OLD, 1]);
    const link = await workspace.read('l');
    assert.ok('at' in link && link.at === 'symlink');
    assert.deepEqual(new Uint8Array(link.bytes!), utf8('a'));
    assert.equal(link.state.digest, (await state(utf8('a'))).digest);
    const directory = await workspace.read('d');
    assert.ok('at' in directory && directory.at === 'unsupported' && directory.what === 'directory');
  });

  test('[D9] bytes over the cap are hashed and not kept', async (setup) => {
    const big = new Uint8Array(100_000).fill(65);
    await setup.put('big', big);
    const seen = await setup.workspace.read('big', 99_999);
    assert.ok('at' in seen && seen.at === 'file');
    assert.equal(seen.bytes, null);
    assert.deepEqual(seen.state, await state(big));
  });

  test('hard links are counted', async (setup) => {
    await setup.put('a', OLD);
    await setup.hardLink('a', 'b');
    const seen = await setup.workspace.read('a');
    assert.ok('at' in seen && seen.at === 'file' && seen.links === 2);
  });
}
