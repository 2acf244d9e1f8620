import { parseArgs } from 'node:util';

export const USAGE = `Usage: cli-host [options] COMMAND

  list                          the changes of the session, in the order of record
  show ID                       one change with its lines
  keep ID…                      marks changes as reviewed
  unkeep ID…                    takes that back
  rollback ID                   puts the earlier bytes back, where the file still is what the change left
  edit PATH --replace OLD --with NEW
  edit PATH --content TEXT      changes a file as an agent's tool would: captured, guarded, undoable
  begin --call CALL PATH        before any command that changes PATH …
  finish --call CALL [--failed] … and after it

Options
  --workspace DIR   the folder that is worked in; the current one by default
  --state DIR       where the records are kept; by default the place that web-host uses for the same workspace
  --session ID      default 'local'
  --round N         the user round that an edit or a begin belongs to
  --json            one JSON document instead of text

An ID may be cut to its first characters, as long as it stays the only one.

Exit codes: 0 done, or it was done before · 1 conflict, nothing was written · 2 wrong usage · 3 no such record or call
4 unavailable: this change can't be taken back · 5 busy · 6 tried and failed, or the end is uncertain · 7 another error
`;

export class UsageError extends Error {}

export interface Args {
  command: string;
  operands: string[];
  workspace: string;
  state: string | null;
  session: string;
  round: number | null;
  json: boolean;
  call: string | null;
  failed: boolean;
  replace: string | null;
  with: string | null;
  content: string | null;
}

export function readArgs(argv: string[]): Args {
  const { values, positionals } = parse(argv);
  const [command, ...operands] = positionals;
  if (command === undefined) throw new UsageError('No command was given.');
  const round = values.round === undefined ? null : Number(values.round);
  if (round !== null && !(Number.isSafeInteger(round) && round >= 0)) {
    throw new UsageError(`--round must be a whole number; it is '${values.round}'.`);
  }
  return {
    command,
    operands,
    workspace: values.workspace ?? '.',
    state: values.state ?? null,
    session: values.session ?? 'local',
    round,
    json: values.json,
    call: values.call ?? null,
    failed: values.failed,
    replace: values.replace ?? null,
    with: values.with ?? null,
    content: values.content ?? null,
  };
}

function parse(argv: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        workspace: text,
        state: text,
        session: text,
        round: text,
        call: text,
        replace: text,
        with: text,
        content: text,
        json: flag,
        failed: flag,
      },
    });
  } catch (error) {
    // An option that is not ours: parseArgs says which.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
