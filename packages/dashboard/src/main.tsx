import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { keepFocus } from './app/keep-focus.ts';
import { pageNonce } from './app/nonce.ts';
import { loadFirstPage } from './app/preload.ts';
import { reloadOutdated } from './app/reload.ts';
import { watchKeys } from './parts/page/uses-keys.ts';

reloadOutdated();
const firstPage = loadFirstPage();
keepFocus();
watchKeys();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the application.');
const reactRoot = createRoot(root);
// No `await` here: chunks of pages that import this file would wait for its end.
void firstPage.then(() =>
  reactRoot.render(
    <StrictMode>
      <App nonce={pageNonce()} />
    </StrictMode>,
  ),
);
