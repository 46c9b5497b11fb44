const TEXT = 'BT /F1 18 Tf 40 150 Td (Order 1008, delivered and signed for) Tj ET';

const objects = [
  '<</Type /Catalog /Pages 2 0 R>>',
  '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  '<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
  `<</Length ${TEXT.length}>>\nstream\n${TEXT}\nendstream`,
  '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
];

/** A PDF of one page: evidence of the demo shop. */
export function deliveryNote(): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.4\n';
  const entries = objects.map((content, index) => {
    const offset = String(text.length).padStart(10, '0');
    text += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer <</Size ${size} /Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return new TextEncoder().encode(text + table + trailer);
}
