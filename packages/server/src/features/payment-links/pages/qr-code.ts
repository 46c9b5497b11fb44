import { renderSVG } from 'uqr';

/** Modules of white around the code, without which readers do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** An address as a QR code: an SVG image, black on white. A seventh of it may be dirty. */
export const qrCode = (address: string): string =>
  renderSVG(address, { ecc: 'M', border: QUIET_ZONE });
