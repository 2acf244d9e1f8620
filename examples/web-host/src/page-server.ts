import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * The page's own files, on the port that the protocol shares. They hold no data: everything that is shown comes
 * over the socket, which asks for the token. A name that is not this machine's is refused, so that no web page
 * can make a browser believe that this server is its own.
 */
export function servePage(server: Server, port: number, directory: string): void {
  const names = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const app = new Hono();
  app.use(async (context, next) => {
    if (!names.has(context.req.header('host') ?? '')) {
      return context.text('This host is served at 127.0.0.1 only.\n', 403);
    }
    return next();
  });
  app.use(
    secureHeaders({
      referrerPolicy: 'no-referrer',
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The rows of a long diff are placed by style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", `ws://127.0.0.1:${port}`, `ws://localhost:${port}`],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    }),
  );
  app.use('*', serveStatic({ root: directory }));
  app.notFound((context) => context.text('There is nothing here. The review is at /.\n', 404));
  server.on('request', getRequestListener(app.fetch));
}
