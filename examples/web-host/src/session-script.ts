import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Host, SESSION_ID } from './host.ts';
import {
  appendByItself,
  breakAfterWriting,
  type Call,
  deleteFile,
  editFile,
  makeExecutable,
  runCall,
  say,
  writeFile,
} from './tools.ts';

interface Round {
  ask: string;
  calls: Call[];
  answer: string;
}

/** A session as an agent would make it in the sample project: three rounds, real files. */
export async function runSession(host: Host): Promise<void> {
  await host.transcript.append({ type: 'session', id: SESSION_ID });
  for (const [index, round] of rounds(host).entries()) {
    await host.service.startRound({
      sessionId: SESSION_ID,
      round: { id: `round-${index + 1}`, ordinal: index + 1 },
    });
    await say(host, 'user', round.ask);
    for (const call of round.calls) await runCall(host, call);
    await say(host, 'assistant', round.answer);
  }
}

function rounds(host: Host): Round[] {
  const external = join(host.places.external!, 'release-notes.md');
  writeFileSync(external, '# Release notes\n\n- 0.3.0: find\n');
  return [
    {
      ask: 'Two notes with the same title overwrite each other. Please fix that.',
      calls: [
        editFile('src/slug.js', "replace(/ /g, '-')", "replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')"),
        writeFile('src/unique.js', UNIQUE),
        editFile(
          'src/add.js',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the sample's own code.
          'const name = `${slug(title)}.md`;',
          'const name = uniqueName(folder(), slug(title));',
        ),
        editFile(
          'src/add.js',
          "import { slug } from './slug.js';",
          "import { slug } from './slug.js';\nimport { uniqueName } from './unique.js';",
        ),
        editFile('test/slug.test.js', 'no such test', 'anything'),
        writeFile('test/unique.test.js', UNIQUE_TEST),
      ],
      answer: 'Names are unique now, and there is a test for it.',
    },
    {
      ask: 'Clean up what nobody uses, and bring the documents up to date.',
      calls: [
        deleteFile('src/legacy-export.js'),
        editFile(
          'docs/install-windows.txt',
          '3. Run: npm install -g tidemark',
          '3. Run: npm install --global tidemark\r\n4. Close the terminal and open it again.',
        ),
        editFile(
          'docs/design.md',
          'Two notes with one title share a name, and the later one wins.',
          'A second note with the same title gets a number behind its name.',
        ),
        writeFile('assets/logo.png', darker(host)),
        editFile('data/stations.csv', '\n2000,', '\n2000-moved,'),
        writeFile(external, '# Release notes\n\n- 0.4.0: unique names\n- 0.3.0: find\n'),
      ],
      answer: 'The old export is gone and the documents are up to date.',
    },
    {
      ask: 'Make find ignore case, and prepare the release.',
      calls: [
        editFile(
          'src/find.js',
          'note.text.includes(words)',
          'note.text.toLowerCase().includes(words.toLowerCase())',
        ),
        editFile('package.json', '"version": "0.3.0"', '"version": "0.4.0"'),
        appendByItself('README.md', '\n## Changes\n\n- 0.4.0: names are unique, find ignores case\n'),
        makeExecutable('src/cli.js'),
        breakAfterWriting('docs/commands.md', '# Commands\n\nadd, list, '),
        writeFile('.env', 'NPM_TOKEN=not-a-real-token\n'),
      ],
      answer: 'Ready for 0.4.0. The command reference could not be generated.',
    },
  ];
}

/** The same picture with its last colour bytes changed: still binary, no text to show. */
function darker(host: Host): Uint8Array {
  const bytes = readFileSync(join(host.places.workspace, 'assets/logo.png'));
  bytes[bytes.length - 20]! ^= 0x0f;
  return bytes;
}

const UNIQUE = `import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A name that no note in the folder has yet. */
export function uniqueName(folder, slug) {
  for (let n = 1; ; n++) {
    const name = n === 1 ? \`\${slug}.md\` : \`\${slug}-\${n}.md\`;
    if (!existsSync(join(folder, name))) return name;
  }
}
`;

const UNIQUE_TEST = `import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { uniqueName } from '../src/unique.js';

test('a second note gets a number', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-'));
  writeFileSync(join(folder, 'tea.md'), '# Tea');
  assert.equal(uniqueName(folder, 'tea'), 'tea-2.md');
});
`;
