import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createReviewService } from '@backstitch/review-core';
import { createMemoryStore, createMemoryWorkspace } from '@backstitch/review-core/testing';
import { createMemoryTransportPair, createReviewClient, createReviewServer } from '@backstitch/review-rpc';
import { ReviewPanel, ReviewProvider } from '@backstitch/review-ui-react';
import { renderToString } from 'react-dom/server';

const service = createReviewService({ store: createMemoryStore(), workspace: createMemoryWorkspace() });
const [here, there] = createMemoryTransportPair();
createReviewServer({ service }).connect(there, { role: 'main' });
const client = createReviewClient(here);

// On the server, before anything was fetched: no global of a browser is read.
const html = renderToString(
  <ReviewProvider client={client} sessionId="s">
    <ReviewPanel />
  </ReviewProvider>,
);
if (!html.includes('data-part="')) throw new Error(`no part was rendered: ${html}`);
const styles = readFileSync(
  fileURLToPath(import.meta.resolve('@backstitch/review-ui-react/styles.css')),
  'utf8',
);
if (!styles.includes('--review-')) throw new Error('the style sheet has no variables');
client.close();
await service.close();
console.log('ok');
