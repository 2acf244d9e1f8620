/**
 * `npm test`: installs, then runs every suite of `tooling/suites.mjs` and never stops at the first failure.
 * Arguments choose suites by a part of their name. The output of a failing suite is shown whole; the last line is
 * `N passed, N failed`. Exit code 0 only if nothing failed and something ran.
 */
import { availableParallelism } from 'node:os';
import { suites } from '../suites.mjs';
import { exitCodeOf, onEnd } from './lib/lifetime.mjs';
import { meet } from './lib/needs.mjs';
import { install } from './lib/prepare.mjs';
import { endAll } from './lib/run.mjs';
import { runSuite } from './lib/suite.mjs';

onEnd((signal) => {
  endAll();
  process.exit(exitCodeOf(signal));
});

const chosen = choose(process.argv.slice(2));
const installed = await install();
if (installed.code !== 0) {
  process.stdout.write(installed.output);
  console.log(
    'The installation failed: nothing was tested.\n0 passed, 1 failed, 0 not run\n0 passed, 1 failed',
  );
  process.exit(1);
}
for (const need of new Set(chosen.flatMap((suite) => suite.needs))) void meet(need);
const results = await runAll(chosen);
printTable(results);
process.exitCode = printTotals(results) ? 0 : 1;

function choose(words) {
  if (words.length === 0) return suites;
  return suites.filter((suite) => words.some((word) => suite.name.includes(word)));
}

/** In order; neighbours that aren't heavy share the processors. */
async function runAll(list) {
  const results = [];
  let light = [];
  for (const suite of list) {
    if (!suite.heavy) {
      light.push(suite);
      continue;
    }
    results.push(...(await runTogether(light)), await runAndTell(suite));
    light = [];
  }
  return [...results, ...(await runTogether(light))];
}

async function runTogether(list) {
  const results = new Array(list.length);
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const mine = next++;
      results[mine] = await runAndTell(list[mine]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, Math.max(2, availableParallelism())) }, worker));
  return results;
}

async function runAndTell(suite) {
  const result = await runSuite(suite);
  const counts = `${result.passed} passed, ${result.failed} failed`;
  console.log(
    `${result.failed === 0 ? 'ok  ' : 'FAIL'} ${result.name}: ${counts} (${result.seconds.toFixed(1)} s)`,
  );
  if (result.failed > 0) {
    console.log(`---- output of ${result.name}`);
    process.stdout.write(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
    console.log(`---- end of ${result.name}`);
  }
  return result;
}

function printTable(results) {
  const width = Math.max(...results.map((result) => result.name.length), 'suite'.length);
  const row = (name, ...cells) =>
    `${name.padEnd(width)}  ${cells.map((cell) => `${cell}`.padStart(8)).join('')}`;
  console.log(`\n${row('suite', 'passed', 'failed', 'not run', 'seconds')}`);
  for (const { name, passed, failed, notRun, seconds } of results) {
    console.log(row(name, passed, failed, notRun.length, seconds.toFixed(1)));
  }
}

function printTotals(results) {
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed);
  const notRun = results.flatMap((result) => result.notRun.map((item) => ({ suite: result.name, ...item })));
  console.log('');
  for (const { suite, name, reason } of notRun) console.log(`not run: ${suite}: ${name}: ${reason}`);
  console.log(`${passed} passed, ${failed} failed, ${notRun.length} not run`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}
