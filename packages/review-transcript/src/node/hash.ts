import { createHash } from 'node:crypto';
import type { Hash } from '../lines.ts';

export const hash: Hash = (data) => createHash('sha256').update(data).digest('hex');
