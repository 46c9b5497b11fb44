import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderShopPage, shopProductIn } from './page.ts';

const pageIn = (currency: unknown) =>
  renderShopPage('http://pay.localhost:4000/v1/florin.js', shopProductIn(currency));
const page = pageIn(undefined);

describe('shopPage', () => {
  it('allows the form only its origin', () => {
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain("script-src 'self' http://pay.localhost:4000;");
    expect(policy).toContain('frame-src http://pay.localhost:4000;');
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  it('has no inline script, handler or style', () => {
    expect(page.html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  });

  it.each([
    [undefined, 'USD', '$'],
    ['EUR', 'EUR', '€'],
    ['XXX', 'USD', '$'],
  ])('in the currency %s shows the price that is charged', (wanted, currency, sign) => {
    const { amount_cents, amount_currency, price } = shopProductIn(wanted);
    expect(amount_currency).toBe(currency);
    expect(price).toBe(`${sign}${(amount_cents / 100).toFixed(2)}`);
    expect(pageIn(wanted).html).toContain(`Pay ${price}`);
  });

  it('has every element that its script looks for', () => {
    const script = readFileSync(new URL('./assets/shop.js', import.meta.url), 'utf8');
    const wantedIds = [...script.matchAll(/byId\('([\w-]+)'\)/g)].map(([, id]) => id);
    expect(wantedIds.length).toBeGreaterThan(5);
    for (const id of wantedIds) expect(page.html).toContain(`id="${id}"`);
  });
});
