import { readdirSync } from 'node:fs';
import { locales } from '@florin/contract/locales.ts';
import { describe, expect, it } from 'vitest';
import { renderUnavailablePage, wantsPage } from './unavailable-page.ts';

describe('the page of a Florin that answers nobody', () => {
  it('has the languages of the checkout', () => {
    const tags = readdirSync(new URL('./unavailable/', import.meta.url));
    expect(tags.sort()).toEqual(locales.map((tag) => `${tag}.json`));
  });

  it.each(locales)('says in %s that nothing was charged, and when to return', (tag) => {
    const page = renderUnavailablePage({ url: `/pay/1?locale=${tag}`, headers: {} }, 60);
    expect(page.status).toBe(503);
    expect(page.headers['retry-after']).toBe('60');
    expect(page.html).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`);
    expect(page.html.match(/<h1>.+<\/h1>\n<p>.+<\/p>\n<p>.+<\/p>/)).not.toBeNull();
  });

  it('takes the language of the browser, runs no script and sends nothing', () => {
    const headers = { 'accept-language': 'de-CH,de;q=0.9' };
    const page = renderUnavailablePage({ url: '/link/abc', headers }, 60);
    expect(page.html).toContain('Es wurde gerade nichts abgebucht.');
    expect(page.html).not.toMatch(/<script|<a |<form/);
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'none'; connect-src 'none';.*form-action 'none'/,
    );
  });

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/vnd.api+json', false],
    ['*/*', false],
    [undefined, false],
  ])('is for who accepts %s: %s', (accept, expected) => {
    expect(wantsPage({ url: '/link/abc', headers: { accept } })).toBe(expected);
  });

  it.each([
    ['/link/abc', {}, true],
    ['/v2/payment_demands', {}, false],
    ['/v2?x', { 'sec-fetch-dest': 'document' }, false],
    ['/v2x', {}, true],
    ['/pay/1', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, true],
    ['/link/abc', { 'sec-fetch-mode': 'navigate' }, true],
    ['/link/abc', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, false],
  ])('at %s with %j and an Accept that begins with HTML: %s', (url, fetchHeaders, expected) => {
    const accept = 'text/html, image/gif, image/jpeg, */*; q=.2';
    expect(wantsPage({ url, headers: { accept, ...fetchHeaders } })).toBe(expected);
  });
});
