import { describe, expect, it } from 'vitest';
import { createMemoryLog, logContract } from './index.ts';

logContract({
  describe,
  it,
  async setup() {
    const log = createMemoryLog();
    return {
      log,
      addOwner: async (messageId) => log.addOwner(messageId),
      lines: async () => [...log.lines],
      cleanup: async () => {},
    };
  },
});

describe('memory log', () => {
  it('fails once, where the test asks for it', async () => {
    const log = createMemoryLog();
    log.addOwner('m');
    log.failNext(new Error('disk'));
    const state = { messageId: 'm', snapshotId: 's', state: 'kept' } as const;
    await expect(log.appendState(state)).rejects.toThrow('disk');
    expect(await log.appendState(state)).toBe('appended');
  });
});
