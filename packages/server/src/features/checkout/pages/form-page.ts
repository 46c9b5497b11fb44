import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { hasOriginShape } from '@florin/contract/origin.ts';
import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import {
  ANY_ANCESTOR,
  type EmbeddingOptions,
  formHeaders,
  GOOGLE_PAY_ORIGIN,
} from '../../../http/pages/form-headers.ts';
import { jsonForScript, type Page } from '../../../http/pages/page.ts';

export interface FormScript {
  /** Path of the script on the form's origin. */
  readonly script_url: string;
  /** Subresource Integrity of the script: `sha384-…`. */
  readonly script_integrity: string;
}

export interface FormAssets extends FormScript {
  /** Inline style sheet. Saves a request. */
  readonly style: string;
}

/** The HTML document inside the frame. A script builds the form from the configuration alone. */
export function renderFormPage(
  config: FrameConfig,
  assets: FormAssets,
  embedding?: EmbeddingOptions,
): Page {
  const { script_url, script_integrity, style } = assets;
  return {
    status: 200,
    headers: formHeaders({
      style,
      hasScript: true,
      ancestors: ancestorsOf(config),
      ...(embedding && { embedding }),
    }),
    html: `<!doctype html>
<html lang="${escapeHtml(config.locale)}" dir="${directionOf(config.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(config.texts.title ?? '')}</title>
<style>${style}</style>
</head>
<body>
${embedding?.hasGooglePay ? `<script async src="${GOOGLE_PAY_ORIGIN}/gp/p/js/pay.js"></script>\n` : ''}<script type="application/json" id="florin-config">${jsonForScript(config)}</script>
<script src="${escapeHtml(script_url)}" integrity="${escapeHtml(script_integrity)}"></script>
</body>
</html>
`,
  };
}

/**
 * Pages that may frame the form: the merchant's registered origins. Only in the sandbox may any
 * page frame the form of a merchant without origins.
 */
function ancestorsOf({ origins, mode }: FrameConfig): string {
  if (origins.length === 0) return mode === 'sandbox' ? ANY_ANCESTOR : "'none'";
  return origins.map(checkOrigin).join(' ');
}

/** Returns an origin as browsers write it. Throws an `Error` for another text. */
function checkOrigin(origin: string): string {
  if (hasOriginShape(origin) && URL.parse(origin)?.origin === origin) return origin;
  throw new Error('A registered origin is not an origin, such as https://shop.example.com.');
}
