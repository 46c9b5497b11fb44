import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyAppearance } from './appearance.ts';

beforeEach(() => {
  vi.stubGlobal('CSS', { supports: (_: string, value: string) => value !== 'nocolour' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function applyStyles(appearance: Readonly<Record<string, unknown>>) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const set: Record<string, string> = {};
  const style = {
    setProperty(name: string, value: string) {
      set[name] = value;
    },
  };
  applyAppearance(style as unknown as CSSStyleDeclaration, appearance);
  return { set, warnings: warn.mock.calls.flat().map(String) };
}

describe('the appearance', () => {
  it('sets the variables of the style', () => {
    const appearance = {
      color: 'rgb(27 35 48 / 90%)',
      background: '#fff',
      accent: 'rebeccapurple',
      radius: '0px',
      fontSize: '1.125rem',
    };
    expect(applyStyles(appearance)).toEqual({
      set: {
        '--text': 'rgb(27 35 48 / 90%)',
        '--box': '#fff',
        '--accent': 'rebeccapurple',
        '--radius': '0px',
        '--size': '1.125rem',
      },
      warnings: [],
    });
  });

  it.each([
    ['color', 'url(https://evil.example/x)'],
    ['color', 'var(--line)'],
    ['color', 'red; background: url(//evil.example)'],
    ['color', 'nocolour'],
    ['accent', '#12345678901'],
    ['background', 'image-set("a")'],
    ['radius', '33px'],
    ['radius', 'calc(1px * 9)'],
    ['radius', '-1px'],
    ['fontSize', '13px'],
    ['fontSize', '25px'],
    ['fontSize', '1.6rem'],
    ['fontSize', '100%'],
    ['fontSize', 16],
  ])('leaves out %s of %j, and warns without repeating it', (name, value) => {
    const { set, warnings } = applyStyles({ [name]: value });
    expect(set).toEqual({});
    expect(warnings).toEqual([`Florin: option "appearance.${name}" cannot be used.`]);
  });

  it('takes corners of 0 without a unit', () => {
    expect(applyStyles({ radius: '0' })).toEqual({ set: { '--radius': '0' }, warnings: [] });
  });

  it.each([
    ['borderRadius', 'borderRadius'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['what is no name', '…'],
    ['n'.repeat(31), '…'],
  ])('has no variable %s, and warns of %s', (name, named) => {
    const appearance = JSON.parse(`{"${name}":"#fff"}`);
    const warning = `Florin: option "appearance.${named}" cannot be used.`;
    expect(applyStyles(appearance)).toEqual({ set: {}, warnings: [warning] });
  });
});
