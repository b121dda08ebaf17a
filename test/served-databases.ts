/** Databases on the tests' PostgreSQL server: copied from a template, and dropped with open connections. */

import pg from "pg";

/** Runs the work on a separate connection to this database. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database and returns its URL. The template must have no connections. */
export async function createDatabase(server: string, name: string, template = "template1"): Promise<string> {
  await withClient(server, (client) => client.query(`create database ${name} template ${template}`));
  return databaseUrl(server, name);
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}
