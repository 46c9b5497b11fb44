import { readFileSync } from 'node:fs';

/** The style that all pages of the server share, and that of pages which only inform. */
export const sharedStyle = (name: 'shop.css' | 'home.css'): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
