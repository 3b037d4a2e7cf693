import type { World } from "../../lib/world.ts";

type Page<Item> = { readonly items: readonly Item[] };

/** Fills a site with users of each state, a message in each format, and the day's check-in reward. */
export async function addUsers(world: World): Promise<void> {
  const root = await world.root();
  for (const username of ["ada", "grace", "alan", "linus"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the list has them in this order
    await root.post("/api/user/", { username, password: "a-password-1", display_name: `${username} the customer` });
  }
  const { items } = await root.get<Page<{ id: number; username: string }>>("/api/user/", { page_size: 100 });
  const getId = (name: string): number => items.find(({ username }) => username === name)?.id ?? 0;
  await root.post("/api/user/manage", { id: getId("grace"), action: "promote" });
  await root.post("/api/user/manage", { id: getId("alan"), action: "disable" });
  await root.post("/api/user/manage", { id: getId("linus"), action: "delete" });
  const user_ids = [getId("root"), getId("ada")];
  const markdown =
    "# Hello\n\nRead the [rules](https://example.com).\n\n| Model | Price |\n| --- | --- |\n| gpt-4o | $2.50 |\n";
  await root.post("/api/admin/messages/", { title: "Welcome", content: markdown, format: "markdown", user_ids });
  const html = `<h2>Maintenance</h2><p>${"On Sunday, between two and four in the morning. ".repeat(8)}</p>`;
  await root.post("/api/admin/messages/", { title: "Maintenance on Sunday", content: html, format: "html", user_ids });
  await root.call("PUT", "/api/option/", { body: { key: "CheckInEnabled", value: "true" } });
}
