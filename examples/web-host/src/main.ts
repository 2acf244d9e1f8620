import { readArgs, USAGE } from './args.ts';
import { check } from './check.ts';
import { startHost } from './host.ts';
import { choosePlaces } from './places.ts';
import { runSession } from './session-script.ts';

try {
  const args = readArgs(process.argv.slice(2));
  if (args.help) process.stdout.write(USAGE);
  else if (args.check) process.exitCode = await check();
  else await serve(args);
} catch (error) {
  process.stderr.write(`web-host: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function serve(args: ReturnType<typeof readArgs>): Promise<void> {
  const places = choosePlaces(args);
  const host = await startHost({ places, port: args.port });
  if (places.fresh) await runSession(host);
  process.stdout.write(
    `Workspace  ${places.workspace}\nRecords    ${places.state}\nReview at  ${host.url}\n`,
  );
  process.stdout.write(
    args.workspace === null
      ? `Press Ctrl-C to stop; start again with --state ${places.state} to see the same session.\n`
      : 'Press Ctrl-C to stop. Edits made through cli-host appear in the page.\n',
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      host.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`web-host: closing failed: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}
