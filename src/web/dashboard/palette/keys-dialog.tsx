import { Checkbox } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useState } from "react";
import { areSingleKeysOn, setSingleKeys } from "./single-keys.ts";
import styles from "./palette.module.css";

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);
const modifier = isApple ? "⌘" : "Ctrl";

const shortcuts: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[modifier, "K"], "Search everything"],
  [[modifier, "B"], "Collapse or expand the sidebar"],
  [["/"], "Search this list"],
  [["j", "k"], "Next and previous row"],
  [["Enter"], "Open row"],
  [["Space"], "Preview row"],
  [["x"], "Select row"],
  [["Shift", "x"], "Select all rows up to this one"],
  [["?"], "Keyboard shortcuts"],
  [["Esc"], "Close what is open"],
];

export function openKeysDialog(): void {
  modals.open({ title: "Keyboard shortcuts", children: <Keys /> });
}

function Keys() {
  const [on, setOn] = useState(areSingleKeysOn);
  return (
    <>
      <table className={styles.keys}>
        <tbody>
          {shortcuts.map(([keys, what]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label="Single-key shortcuts: / ? j k x Space"
        description="Turn off if you do not want them. Saved in this browser."
        checked={on}
        onChange={(event) => {
          setSingleKeys(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
      />
    </>
  );
}
