import { describe, expect, it } from 'vitest';
import { diagramFigure, diagramTitle } from '../src/site/diagram.ts';

describe('a diagram', () => {
  it('is a picture with a description, and without a style sheet', () => {
    const figure = diagramFigure('flowchart LR\n  shop["Shop"] --> vault["Vault"]', 'Card "path"');
    expect(figure).toContain('role="img" aria-label="Card &quot;path&quot;"');
    expect(figure).toContain('Vault');
    expect(figure).not.toMatch(/<style|@import|https?:\/\/(?!www\.w3\.org)/);
  });

  it('must have a description', () => {
    expect(diagramTitle('mermaid title="States of a payment"')).toBe('States of a payment');
    expect(() => diagramTitle('mermaid')).toThrow('mermaid title=');
  });
});
