import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { meet } from './needs.mjs';
import { root, toolEnvironment } from './paths.mjs';
import { run } from './run.mjs';

const REPORTER = fileURLToPath(new URL('./vitest-reporter.mjs', import.meta.url));

/**
 * Runs one suite of `tooling/suites.mjs`.
 *
 * @returns {Promise<{ name: string, passed: number, failed: number, notRun: { name: string, reason: string }[],
 *   seconds: number, output: string }>}
 */
export async function runSuite(suite) {
  const needs = await meetAll(suite.needs);
  if (needs.missing !== undefined) return outcome(suite, { failed: 1, output: `${needs.missing}\n` });
  if (needs.notHere !== undefined) {
    return outcome(suite, { notRun: [{ name: suite.name, reason: needs.notHere }] });
  }
  return suite.kind === 'gate' ? runGate(suite, needs.env) : runVitest(suite, needs.env);
}

async function meetAll(names) {
  const env = {};
  for (const name of names) {
    const answer = await meet(name);
    if (answer.env === undefined) return answer;
    Object.assign(env, answer.env);
  }
  return { env };
}

async function runGate(suite, env) {
  const ended = await start(suite, suite.args, env);
  return outcome(suite, { ...ended, passed: ended.code === 0 ? 1 : 0, failed: ended.code === 0 ? 0 : 1 });
}

async function runVitest(suite, env) {
  const directory = mkdtempSync(join(tmpdir(), 'backstitch-report-'));
  const file = join(directory, 'report.json');
  const args = [...suite.args, '--reporter=default', `--reporter=${REPORTER}`];
  const ended = await start(suite, args, { ...env, BACKSTITCH_REPORT: file });
  const report = readReport(file);
  rmSync(directory, { recursive: true });
  // A run that ended badly without naming a failed test (a crash, a time-out, no test found) is a failure too.
  if (ended.code !== 0 && report.failed === 0) report.failed = 1;
  if (report.passed + report.failed + report.notRun.length === 0) report.failed = 1;
  return outcome(suite, { ...ended, ...report });
}

function start(suite, args, env) {
  const options = {
    cwd: join(root, suite.directory),
    env: { ...toolEnvironment(), ...env },
    minutes: suite.minutes,
  };
  return run(suite.command, args, options);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // vitest ended before it could report: the caller counts the run as failed and shows its output.
    if (error.code !== 'ENOENT') throw error;
    return { passed: 0, failed: 0, notRun: [] };
  }
}

function outcome(suite, { passed = 0, failed = 0, notRun = [], seconds = 0, output = '', timedOut = false }) {
  const ending = timedOut ? `\nended after ${suite.minutes} minutes: it took too long\n` : '';
  return { name: suite.name, passed, failed, notRun, seconds, output: output + ending };
}
