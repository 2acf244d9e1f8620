import { randomUUID } from 'node:crypto';
import { type CaptureRequest, type ReviewChange, ReviewError, reviewDetails } from '@backstitch/review-core';
import { type Answer, EXIT, fromOutcome } from './answer.ts';
import { type Args, UsageError } from './args.ts';
import type { Host } from './host.ts';
import { changeLine, changeText, visible } from './text.ts';

type Command = (host: Host, args: Args) => Promise<Answer>;

export const COMMANDS: Record<string, Command> = { list, show, keep, unkeep, rollback, edit, begin, finish };

async function list(host: Host): Promise<Answer> {
  const items = await allItems(host);
  const { gaps } = await host.service.list({ sessionId: host.sessionId, limit: 1 });
  const lines = items.map((item) =>
    'unreadable' in item ? `unreadable (${item.unreadable}): ${visible(item.reason)}` : changeLine(item),
  );
  const notCovered = gaps.items.map((gap) => `not covered  ${visible(gap.path ?? '?')}  ${gap.reason}`);
  const empty = items.length === 0 ? ['No changes are recorded.'] : [];
  return { code: EXIT.done, json: { items, gaps }, text: [...empty, ...lines, ...notCovered].join('\n') };
}

async function show(host: Host, args: Args): Promise<Answer> {
  const snapshotId = await oneId(host, args);
  const { change, hunks } = await host.service.get({ sessionId: host.sessionId, snapshotId });
  return { code: EXIT.done, json: { change, hunks }, text: changeText(change, hunks) };
}

async function keep(host: Host, args: Args): Promise<Answer> {
  return fromOutcome(
    await host.service.keep({ sessionId: host.sessionId, snapshotIds: await ids(host, args) }),
  );
}

async function unkeep(host: Host, args: Args): Promise<Answer> {
  return fromOutcome(
    await host.service.unkeep({ sessionId: host.sessionId, snapshotIds: await ids(host, args) }),
  );
}

async function rollback(host: Host, args: Args): Promise<Answer> {
  return fromOutcome(
    await host.service.rollback({ sessionId: host.sessionId, snapshotId: await oneId(host, args) }),
  );
}

/** A tool as an agent has it: the bytes go through the captured target, so that the write itself is guarded. */
async function edit(host: Host, args: Args): Promise<Answer> {
  const request = captureRequest(host, args, randomUUID());
  const { change } = await host.service.capture(request, async (target) => {
    await target.write(nextContent(args, request.path, target.before()));
  });
  await appendToolLine(host, request.messageId, request.callId, change);
  const text =
    change === null
      ? `'${visible(request.path)}' was left as it is, or is not recorded.`
      : changeLine(change);
  return { code: EXIT.done, json: { change }, text };
}

function nextContent(args: Args, path: string, before: Uint8Array | null): string {
  if (args.content !== null) return args.content;
  if (args.replace === null || args.with === null) {
    throw new UsageError('edit needs --content TEXT, or --replace OLD and --with NEW.');
  }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(before ?? new Uint8Array());
  if (!text.includes(args.replace)) throw new UsageError(`The text to replace was not found in '${path}'.`);
  return text.replace(args.replace, () => args.with!);
}

async function begin(host: Host, args: Args): Promise<Answer> {
  if (args.call === null) throw new UsageError('begin needs --call CALL, and finish the same one.');
  const request = captureRequest(host, args, args.call);
  // Detached: this process ends long before the tool does.
  const { snapshotIds } = await host.service.begin({ ...request, operation: 'shell', owner: 'detached' });
  const text =
    snapshotIds.length === 0
      ? 'Not recorded: the path is left out by policy.'
      : `Begun ${snapshotIds.join(' ')}`;
  return { code: EXIT.done, json: { snapshotIds }, text };
}

async function finish(host: Host, args: Args): Promise<Answer> {
  if (args.call === null) throw new UsageError('finish needs the --call CALL of its begin.');
  const result = await host.service.finish({
    sessionId: host.sessionId,
    callId: args.call,
    failed: args.failed,
  });
  for (const change of result.changes) await appendToolLine(host, change.messageId, change.callId, change);
  const text =
    result.changes.length === 0 ? 'Nothing was changed.' : result.changes.map(changeLine).join('\n');
  return { code: EXIT.done, json: result, text };
}

function captureRequest(host: Host, args: Args, callId: string): CaptureRequest {
  const [path, ...more] = args.operands;
  if (path === undefined || more.length > 0) throw new UsageError(`${args.command} takes exactly one path.`);
  return {
    sessionId: host.sessionId,
    messageId: randomUUID(),
    callId,
    toolName: args.command,
    operation: 'edit',
    path,
    ...(args.round === null ? {} : { round: { id: `round-${args.round}`, ordinal: args.round } }),
  };
}

/** A second finish must not append its line again. */
async function appendToolLine(
  host: Host,
  id: string,
  callId: string,
  change: ReviewChange | null,
): Promise<void> {
  if ((await host.transcript.findTool(id)) !== null) return;
  let details = {};
  if (change !== null) {
    const { hunks } = await host.service.get({ sessionId: host.sessionId, snapshotId: change.id });
    details = { details: { review: reviewDetails(change, hunks) } };
  }
  await host.transcript.append({ type: 'tool', id, callId, ...details });
}

async function oneId(host: Host, args: Args): Promise<string> {
  const found = await ids(host, args);
  if (found.length !== 1)
    throw new UsageError(`${args.command} takes exactly one id; ${found.length} were given.`);
  return found[0]!;
}

/** Whole ids, or the first characters of one. */
async function ids(host: Host, args: Args): Promise<string[]> {
  if (args.operands.length === 0) throw new UsageError(`${args.command} needs an id; see cli-host list.`);
  const known = (await allItems(host)).flatMap((item) => item.id ?? []);
  return args.operands.map((given) => {
    const fits = known.filter((id) => id.startsWith(given));
    if (fits.length === 1) return fits[0]!;
    if (fits.length > 1)
      throw new UsageError(`'${given}' fits ${fits.length} changes; give more of its characters.`);
    throw new ReviewError('unknownRecord', `The session has no change '${given}'. See cli-host list.`);
  });
}

async function allItems(host: Host) {
  const { sessionId } = host;
  const items = [];
  let cursor: string | null = null;
  do {
    const page = await host.service.list(cursor === null ? { sessionId } : { sessionId, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
