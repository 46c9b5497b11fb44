import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml } from './read-xml.ts';
import { BODY_DEPTH_MAX } from './write-scalar.ts';
import { writeXml } from './write-xml.ts';

const SEED = 20_261_124;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const deepXml = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels);

function deepBody(levels: number): unknown {
  let body: unknown = 'x';
  for (let level = 0; level < levels; level += 1) body = { a: body };
  return body;
}

describe('a written body', () => {
  it('has attributes, texts, lists and namespaces, in the order of its members', () => {
    const body = {
      order: {
        '@xmlns': 'http://shop.example/schema',
        '@merchantId': 7,
        card: { number: '4', cvv: undefined, '@type': 'VI' },
        item: ['one', { '@n': 2, '#text': 'two' }],
        'x:note': 'a<b> & "c"\r\n',
      },
    };
    expect(writeXml(body)).toBe(
      `${DECLARATION}<order xmlns="http://shop.example/schema" merchantId="7">` +
        '<card type="VI"><number>4</number></card><item>one</item><item n="2">two</item>' +
        '<x:note>a&lt;b&gt; &amp; &quot;c&quot;&#13;&#10;</x:note></order>',
    );
  });

  it.each<[string, unknown, string]>([
    ['two roots', { a: 1, b: 2 }, 'The body at / is no object with one member, the root element.'],
    ['a list as root', { a: [1] }, 'The body at / is no object with one member, the root element.'],
    ['null', { a: { b: null } }, 'The body at /a/b is null, and no placeholder names it.'],
    [
      'an element as name',
      { a: { 'b><c': 1 } },
      'The body at /a/b><c has a name that XML cannot have.',
    ],
    [
      'an attribute that ends its own',
      { a: { '@b="': 1 } },
      'The body at /a/@b=" has a name that XML cannot have.',
    ],
    [
      'an object as attribute',
      { a: { '@b': {} } },
      'The body at /a/@b is no text, plain number, true or false.',
    ],
    [
      'a control character',
      { a: 'x\u0000' },
      'The body at /a has a character that XML cannot have.',
    ],
    [
      'half a character',
      { a: ['\ud800'].join('') },
      'The body at /a has a character that XML cannot have.',
    ],
  ])('with %s is refused, and the position is named', (_name, body, detail) => {
    expect(() => writeXml(body)).toThrow(expect.objectContaining({ why: 'body_unusable', detail }));
  });

  it('has no more levels than its limit', () => {
    expect(writeXml(deepBody(BODY_DEPTH_MAX))).toContain('<a>x</a>');
    expect(() => writeXml(deepBody(BODY_DEPTH_MAX + 1))).toThrow(
      expect.objectContaining({ why: 'body_unusable' }),
    );
  });

  it('is read by an XML parser as it was, whatever its texts are', () => {
    const texts = fc.string({ unit: 'grapheme' }).map((text) => text.trim());
    fc.assert(
      fc.property(texts, texts, (attribute, text) => {
        const body = { a: { '@b': attribute, c: text, d: ['x', text] } };
        expect(readXml(writeXml(body))).toEqual(body);
      }),
      { seed: SEED },
    );
  });
});

describe('a read answer', () => {
  it.each<[string, string, unknown]>([
    [
      'texts and entities of XML',
      '<a><b> x &amp; &#52; </b><c/></a>',
      { a: { b: 'x & 4', c: '' } },
    ],
    ['attributes and text', '<a n="1">x</a>', { a: { '@n': '1', '#text': 'x' } }],
    ['repeated elements', '<a><b>1</b><c/><b>2</b></a>', { a: { b: ['1', '2'], c: '' } }],
    ['CDATA and comments', '<a><![CDATA[<b>]]><!-- c --></a>', { a: '<b>' }],
    [
      'a declaration and namespaces',
      `${DECLARATION}<x:a xmlns:x="u"/>`,
      { 'x:a': { '@xmlns:x': 'u' } },
    ],
  ])('has %s', (_name, xml, expected) => {
    expect(readXml(xml)).toEqual(expected);
  });

  it('has elements and attributes of any name as members of its own', () => {
    const answer = readXml('<__proto__ __proto__="x"><constructor>y</constructor></__proto__>');
    expect(JSON.stringify(answer)).toBe('{"__proto__":{"@__proto__":"x","constructor":"y"}}');
  });

  it.each<[string, string]>([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity of a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts">]><a>&b;</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['a processing instruction', '<?run it?><a/>'],
    ['an open element', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['no root', 'ok'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['more levels than the limit', deepXml(BODY_DEPTH_MAX + 1)],
    ['more elements than the limit', `<a>${'<b/>'.repeat(5_000)}</a>`],
    [
      'more attributes than the limit',
      `<a ${Array.from({ length: 65 }, (_, n) => `b${n}="1"`).join(' ')}/>`,
    ],
  ])('with %s is refused', (_name, xml) => {
    expect(() => readXml(xml)).toThrow();
  });

  it('may have as many levels as its limit', () => {
    expect(JSON.stringify(readXml(deepXml(BODY_DEPTH_MAX)))).toContain('{"a":""}');
  });
});
