/** Databases on the PostgreSQL server of the tests: made as a copy of a template, and dropped with whoever is still connected. */
import pg from "pg";

/** Runs the work on a connection of its own to this database. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Makes a database and answers its address; nobody may be connected to the template. */
export async function createDatabase(server: string, name: string, template = "template1"): Promise<string> {
  await withClient(server, (client) => client.query(`create database ${name} template ${template}`));
  return databaseUrl(server, name);
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}
