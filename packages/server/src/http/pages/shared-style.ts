import { readFileSync } from 'node:fs';

/** Reads a style sheet: `shop.css` for all pages, `home.css` in addition for pages that only inform. */
export const sharedStyle = (name: 'shop.css' | 'home.css'): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
