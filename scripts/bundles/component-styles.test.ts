import { describe, expect, it } from 'vitest';
import { missingSheets } from './component-styles.ts';

const sheets = new Map([
  ['Button.css', '.m_77c9d27d { padding: 0 }'],
  ['Tabs.css', '.m_89d60db1 { display: flex } .m_89d33d6d { border: 0 }'],
  ['global.css', 'body { margin: 0 }'],
]);

describe('sheets of components', () => {
  it.each([
    ['none, if the styles have each class', 'm_77c9d27d', '.m_77c9d27d{padding:0}', []],
    ['those of a class that only scripts have', '"m_77c9d27d"', '', ['Button.css']],
    ['those of which a part is missing', 'm_89d60db1 m_89d33d6d', '.m_89d60db1{}', ['Tabs.css']],
    ['none for components that are not used', '', '', []],
  ])('are missing: %s', (_case, scripts, styles, missing) => {
    expect(missingSheets(scripts, styles, sheets)).toEqual(missing);
  });
});
