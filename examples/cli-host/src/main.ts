#!/usr/bin/env node
import { type Answer, fromError } from './answer.ts';
import { readArgs, USAGE, UsageError } from './args.ts';
import { COMMANDS } from './commands.ts';
import { openHost } from './host.ts';

const argv = process.argv.slice(2);
if (argv.length === 0 || argv.includes('--help')) {
  process.stdout.write(USAGE);
  process.exitCode = argv.length === 0 ? 2 : 0;
} else {
  const answer = await run(argv);
  const json = argv.includes('--json');
  const stream = answer.code === 0 || json ? process.stdout : process.stderr;
  stream.write(`${json ? JSON.stringify(answer.json) : answer.text}\n`);
  process.exitCode = answer.code;
}

async function run(given: string[]): Promise<Answer> {
  try {
    const args = readArgs(given);
    const command = Object.hasOwn(COMMANDS, args.command) ? COMMANDS[args.command]! : null;
    if (command === null) throw new UsageError(`There is no command '${args.command}'.`);
    const host = await openHost(args);
    try {
      return await command(host, args);
    } finally {
      await host.close();
    }
  } catch (error) {
    // Everything that a command could not do ends here, as one line and an exit code.
    return fromError(error);
  }
}
