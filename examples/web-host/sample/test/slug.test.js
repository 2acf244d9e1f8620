import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('spaces become dashes', () => {
  assert.equal(slug('Buy oat milk'), 'buy-oat-milk');
});
