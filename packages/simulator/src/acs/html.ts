import { escapeHtml } from '@florin/contract/html.ts';

/** A complete response of the bank to a browser. */
export interface BankPage {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const encodeBase64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

const STYLE = `
:root{color-scheme:light dark;font:1rem/1.45 system-ui,sans-serif}
body{margin:0;padding:1rem;max-width:26rem;margin-inline:auto}
header{display:flex;justify-content:space-between;align-items:baseline;border-bottom:2px solid #2a6f4e;padding-bottom:.5rem}
header span{font-size:.8rem;opacity:.75}
h1{font-size:1.05rem;margin:1rem 0 .4rem}
p{margin:.4rem 0}
label{display:block;font-weight:600;margin:.8rem 0 .3rem}
input{font:inherit;width:100%;box-sizing:border-box;min-height:2.75rem;padding:0 .7rem;letter-spacing:.2em}
button{font:inherit;min-height:2.75rem;padding:0 1.2rem;margin:.8rem .5rem 0 0;cursor:pointer;border-radius:.5rem;border:1px solid #2a6f4e;background:none;color:inherit}
button.main{background:#2a6f4e;color:#fff}
.wrong{color:light-dark(#b3261e,#ff9a91)}
.small{font-size:.8rem;opacity:.8}`;

/** A page with the bank's layout. `body` is markup; `script` runs once the page is loaded. */
export const createBankPage = (title: string, body: string, script = ''): BankPage => ({
  status: 200,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><strong>Sandbox Bank</strong><span>Test only</span></header>
<main>${body}</main>
${script && `<script>${script}</script>`}
</body>
</html>
`,
});

/** Page that posts fields to a URL immediately. */
export const createPostingPage = (
  url: string,
  fields: Readonly<Record<string, string>>,
): BankPage =>
  createBankPage(
    'One moment',
    `<form method="post" action="${escapeHtml(url)}">${hiddenInputs(fields)}<noscript><button>Continue</button></noscript></form>`,
    'document.forms[0].submit()',
  );

export const hiddenInputs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

export const createRefusalPage = (status: number, text: string): BankPage => ({
  ...createBankPage('Sandbox Bank', `<h1>${escapeHtml(text)}</h1>`),
  status,
});
