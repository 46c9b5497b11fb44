// Joins each program to the bench, which copies all programs beside the installed packages.
import { createServer } from 'node:http';

/** The database that the bench made for this program, and how many connections it may have. */
export const settings = () => JSON.parse(process.argv[2]);

/** Serves until the bench ends, and tells it the port. */
export function serve(listener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}
