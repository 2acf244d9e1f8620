import { writeFileSync } from 'node:fs';

/**
 * Writes what ran, failed and did not run (with the note of the skip) as JSON to the file in BACKSTITCH_REPORT.
 * vitest's own JSON reporter leaves the notes and the broken set-ups out.
 */
export default class Report {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: unhandled.length, notRun: [] };
    for (const module of modules) {
      report.failed += module.errors().length;
      for (const suite of module.children.allSuites()) report.failed += suite.errors().length;
      for (const test of module.children.allTests()) count(report, test);
    }
    writeFileSync(process.env.BACKSTITCH_REPORT, JSON.stringify(report));
  }
}

function count(report, test) {
  const { state, note } = test.result();
  if (state === 'passed') report.passed += 1;
  else if (state === 'failed') report.failed += 1;
  else report.notRun.push({ name: test.fullName, reason: note ?? 'skipped without a reason' });
}
