import { describe, expect, it } from 'vitest';
import { languageOf } from '../../pages/language.ts';
import {
  renderEndedPage,
  renderLaunchPage,
  renderReturnPage,
  renderUnframedPage,
} from './bank-pages.ts';

const language = { ...languageOf('fr'), title: 'Votre <b>banque' };
const launch = { url: 'https://bank.example/acs?a=1&b=2', fields: { creq: '"x"' } };
const policyOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  headers['content-security-policy'];

describe('the pages that lead to a bank and back', () => {
  it('post to that bank only', () => {
    const page = renderLaunchPage(launch, language);
    expect(policyOf(page)).toContain('form-action https://bank.example;');
    expect(page.html).toContain('action="https://bank.example/acs?a=1&amp;b=2"');
    expect(page.html).toContain('value="&quot;x&quot;"');
  });

  it.each([
    ['back', renderReturnPage(language)],
    ['where frames are forbidden', renderUnframedPage()],
    ['nowhere', renderEndedPage(language)],
  ])('run nothing and post nothing: %s', (_where, page) => {
    expect(policyOf(page)).toContain("script-src 'none';");
    expect(policyOf(page)).toContain("form-action 'none';");
  });

  it.each([
    ['that the tab can be closed', renderReturnPage(language), 'Fermez cette page'],
    ['that the check is over', renderEndedPage(language), 'vérification est terminée'],
    ['which button leads to the bank', renderLaunchPage(launch, language), 'Aller à votre banque'],
  ])("say in the browser's language %s", (_text, { html }, sentence) => {
    expect(html).toContain('<html lang="fr" dir="ltr">');
    expect(html).toContain('<title>Votre &lt;b&gt;banque</title>');
    expect(html).toContain(sentence);
  });

  it('are written from right to left in Arabic', () => {
    const { html } = renderReturnPage({ ...languageOf('ar'), title: 'تأكيد' });
    expect(html).toContain('<html lang="ar" dir="rtl">');
  });
});
