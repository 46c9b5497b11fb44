import { renderClosedPage, topOf } from '../../../http/pages/closed-page.ts';
import type { Page } from '../../../http/pages/page.ts';
import { isolate, type Translator } from './translator.ts';

export const STYLE_URL = '/customer-page.css';

export interface FrameOptions {
  readonly status?: number;
  readonly title: string;
  /** HTML of the `main` element. */
  readonly main: string;
  readonly merchant_name?: string;
  readonly sandbox?: boolean;
  /** URLs of scripts. With scripts, the page may also show the payment form. */
  readonly scripts?: readonly string[];
}

/** A complete customer page: header, main part and footer. */
export function renderCustomerPage(translator: Translator, options: FrameOptions): Page {
  const { status = 200, title, main, merchant_name, sandbox = false, scripts = [] } = options;
  const name =
    merchant_name === undefined ? '' : `<span class="name">${isolate(merchant_name)}</span>`;
  const mode = sandbox ? translator.text('test_mode') : undefined;
  return renderClosedPage({
    status,
    tag: translator.tag,
    direction: translator.direction,
    title,
    style_url: STYLE_URL,
    scripts,
    body: `${topOf(name, mode)}<main>
${main}
</main>`,
  });
}
