import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeviceProof, Devices } from '../accounts/devices.ts';
import { cookieText, cookieValueOf } from './session-cookie.ts';

const DEVICE = 'florin_device';
/** Seconds for which a browser remembers that a person has signed in with it: 180 days. */
const DEVICE_SECONDS = 180 * 24 * 60 * 60;

export interface DeviceDeps {
  readonly devices: Devices;
  readonly public_url: string;
}

/** Id of the browser, if it is known for the address. */
export const deviceIdOf = (
  { devices, public_url }: DeviceDeps,
  request: FastifyRequest,
  email: string,
): string | undefined => devices.idOf(email, cookieValueOf(request, public_url, DEVICE));

/** Id of the browser, if the person of the address has signed in with it completely. */
export const signedInDeviceIdOf = (
  { devices, public_url }: DeviceDeps,
  request: FastifyRequest,
  email: string,
): string | undefined => devices.signedInIdOf(email, cookieValueOf(request, public_url, DEVICE));

/** Makes the browser known for the address, by a complete sign-in or by a link from its mailbox. */
export function rememberDevice(
  { devices, public_url }: DeviceDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, proof }: { readonly email: string; readonly proof: DeviceProof },
): void {
  const value = devices.tokenFor(email, cookieValueOf(request, public_url, DEVICE), proof);
  const cookie = { name: DEVICE, value, age_seconds: DEVICE_SECONDS };
  reply.header('set-cookie', cookieText(public_url, cookie));
}
