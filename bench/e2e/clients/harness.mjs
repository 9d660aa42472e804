// Runs every variant of a client on every prompt, and prints a line of JSON for each: what the tool was called
// with, and what the user reads in the end. The first argument is {"base": URL, "prompts": {name: text}}.

export const parameters = {
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
  additionalProperties: false,
};
export const description = "Runs a command in the shell.";

export async function main(variants) {
  const { base, prompts } = JSON.parse(process.argv[2]);
  for (const [variant, ask] of Object.entries(variants)) {
    for (const [prompt, text] of Object.entries(prompts)) {
      const calls = [];
      const tool = async ({ command }) => {
        calls.push(command);
        return `tool-output of ${command}`;
      };
      const line = { variant, prompt, calls };
      try {
        line.text = await ask({ base, prompt: text, tool });
      } catch (error) {
        line.error = String(error?.stack ?? error);
      }
      console.log(JSON.stringify(line));
    }
  }
  process.exit(0);
}

// rounds calls turn until it has no more tool calls, and returns all texts. turn returns {text, again}.
export async function rounds(turn) {
  let said = "";
  for (let i = 0; i < 5; i++) {
    const { text, again } = await turn();
    said += text + "\n";
    if (!again) return said;
  }
  throw new Error("the model calls tools for ever");
}
