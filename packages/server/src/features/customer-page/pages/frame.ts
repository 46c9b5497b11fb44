import { brandPolicy, brandStyle, type PageBrand, renderBrand } from '../../../http/pages/brand.ts';
import { renderClosedPage, topOf } from '../../../http/pages/closed-page.ts';
import type { Page } from '../../../http/pages/page.ts';
import type { Translator } from './translator.ts';

export const STYLE_URL = '/customer-page.css';

export interface FrameOptions {
  readonly status?: number;
  readonly title: string;
  /** HTML of the `main` element. */
  readonly main: string;
  /** Absent if the merchant is unknown. */
  readonly brand?: PageBrand;
  readonly sandbox?: boolean;
  /** URLs of scripts. With scripts, the page may also show the payment form. */
  readonly scripts?: readonly string[];
}

const UNKNOWN: PageBrand = { name: '' };

/** A complete customer page: header, main part and footer. */
export function renderCustomerPage(translator: Translator, options: FrameOptions): Page {
  const { status = 200, title, main, brand = UNKNOWN, sandbox = false, scripts = [] } = options;
  const style = brandStyle(brand, 'button.main,.button.main');
  const mode = sandbox ? translator.text('test_mode') : undefined;
  return renderClosedPage({
    status,
    tag: translator.tag,
    direction: translator.direction,
    title,
    style_url: STYLE_URL,
    scripts,
    ...(style && { style }),
    policy: brandPolicy(brand),
    body: `${topOf(renderBrand(brand), mode)}<main>
${main}
</main>`,
  });
}
