import { createReconnectingTransport, createReviewClient, webSocketTransport } from '@backstitch/review-rpc';
import { ReviewPanel, ReviewProvider } from '@backstitch/review-ui-react';
import '@backstitch/review-ui-react/styles.css';
import './page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get('token');
const sessionId = given.get('session') ?? 'local';
const root = createRoot(document.getElementById('page')!);

if (token === null) {
  root.render(<p className="notice">This address lacks its token. Open the one that the host printed.</p>);
} else {
  const socketUrl = `ws://${location.host}/review?token=${encodeURIComponent(token)}`;
  const client = createReviewClient(
    createReconnectingTransport(() => webSocketTransport(new WebSocket(socketUrl))),
  );
  root.render(
    <StrictMode>
      <ReviewProvider client={client} sessionId={sessionId}>
        <main>
          <ReviewPanel headingLevel={1} />
        </main>
      </ReviewProvider>
    </StrictMode>,
  );
}
