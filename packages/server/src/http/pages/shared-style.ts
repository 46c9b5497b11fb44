import { readFileSync } from 'node:fs';

/** Style sheets: `shop.css` for pages with actions, `home.css` for pages that only inform. */
export const sharedStyle = (name: 'shop.css' | 'home.css'): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
