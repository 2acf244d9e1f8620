import { parseArgs } from 'node:util';

export const USAGE = `Usage: web-host [--workspace DIR] [--state DIR] [--port N] [--check]

  (nothing)         a sample project in a temporary folder, with a session that an agent made in it
  --workspace DIR   a folder of your own; feed it from a second terminal with cli-host
  --state DIR       where the records are kept; give the same one again to see the same session
  --port N          the port on 127.0.0.1; any free one by default
  --check           does the main job in a headless browser, prints one JSON line, exits 0 if all of it held
`;

export interface Args {
  workspace: string | null;
  state: string | null;
  port: number;
  check: boolean;
  help: boolean;
}

/** Throws with a sentence for a person. */
export function readArgs(argv: string[]): Args {
  const { values } = parseArgs({
    args: argv,
    options: {
      workspace: { type: 'string' },
      state: { type: 'string' },
      port: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = values.port === undefined ? 0 : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535; it is '${values.port}'.`);
  }
  return {
    workspace: values.workspace ?? null,
    state: values.state ?? null,
    port,
    check: values.check,
    help: values.help,
  };
}
