import { useMemo } from 'react';
import { encode } from 'uqr';

const SIZE_PX = 200;
/** Width of the quiet zone in modules, which QR readers need. */
const QUIET = 4;

/** A text as a QR code: black on white in any theme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={SIZE_PX}
      height={SIZE_PX}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawingOf(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size, path };
}
