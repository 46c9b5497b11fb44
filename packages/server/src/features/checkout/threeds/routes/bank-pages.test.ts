import { describe, expect, it } from 'vitest';
import {
  renderEndedPage,
  renderLaunchPage,
  renderReturnPage,
  renderUnframedPage,
} from './bank-pages.ts';

const arabic = {
  tag: 'ar',
  texts: { challenge_title: 'تأكيد', challenge_return: 'شكرًا <b>' },
};
const policyOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  headers['content-security-policy'];

describe('the pages that lead to a bank and back', () => {
  it('post to that bank only', () => {
    const page = renderLaunchPage({
      url: 'https://bank.example/acs?a=1&b=2',
      fields: { creq: '"x"' },
    });
    expect(policyOf(page)).toContain('form-action https://bank.example;');
    expect(page.html).toContain('action="https://bank.example/acs?a=1&amp;b=2"');
    expect(page.html).toContain('value="&quot;x&quot;"');
  });

  it.each([
    ['back', renderReturnPage(arabic)],
    ['where frames are forbidden', renderUnframedPage()],
    ['nowhere', renderEndedPage()],
  ])('run nothing and post nothing: %s', (_where, page) => {
    expect(policyOf(page)).toContain("script-src 'none';");
    expect(policyOf(page)).toContain("form-action 'none';");
  });

  it("say in the browser's language that the tab can be closed", () => {
    const { html } = renderReturnPage(arabic);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<title>تأكيد</title>');
    expect(html).toContain('<p>شكرًا &lt;b&gt;</p>');
  });
});
