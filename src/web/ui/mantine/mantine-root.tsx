/** Mantine for the pages behind the login, with its variables set to our tokens. Never imported by a public page. */

import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/CheckboxIndicator.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/Tooltip.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import "./mantine.css";
import {
  MantineProvider,
  Autocomplete,
  Checkbox,
  createTheme,
  Input,
  InputWrapper,
  Modal,
  NativeSelect,
  PasswordInput,
  Textarea,
  TextInput,
  type TextInputProps,
  Tooltip,
} from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import type { ReactNode } from "react";

export function MantineRoot({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <ModalsProvider>{children}</ModalsProvider>
    </MantineProvider>
  );
}

/** Label, control, error, then description: the order of screen readers. */
const field: Pick<TextInputProps, "size" | "inputWrapperOrder"> = {
  size: "md",
  inputWrapperOrder: ["label", "input", "error", "description"],
};

export const theme = createTheme({
  fontFamily: "Public Sans, Helvetica Neue, Arial, sans-serif",
  headings: {
    fontFamily: "League Gothic, Arial Narrow, sans-serif",
    fontWeight: "400",
    sizes: { h1: { fontSize: "3rem", lineHeight: "1" }, h2: { fontSize: "1.5rem", lineHeight: "1" } },
  },
  defaultRadius: "sm",
  radius: { xs: "2px", sm: "4px", md: "8px", lg: "8px", xl: "8px" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "1rem", lg: "1.1875rem", xl: "1.5rem" },
  breakpoints: { xs: "24em", sm: "48em", md: "64em", lg: "80em", xl: "100em" },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: false,
  components: {
    Input: Input.extend({ defaultProps: { size: "md" } }),
    // Optional fields have "(optional)" in their label instead of an asterisk on required ones.
    InputWrapper: InputWrapper.extend({ defaultProps: { withAsterisk: false } }),
    TextInput: TextInput.extend({ defaultProps: field }),
    Textarea: Textarea.extend({ defaultProps: { ...field, resize: "vertical" } }),
    NativeSelect: NativeSelect.extend({ defaultProps: field }),
    PasswordInput: PasswordInput.extend({ defaultProps: { ...field, visibilityToggleFocusable: true } }),
    Autocomplete: Autocomplete.extend({ defaultProps: field }),
    Checkbox: Checkbox.extend({ defaultProps: { size: "sm" } }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: false }, transitionProps: { duration: 160 } },
    }),
    Modal: Modal.extend({
      defaultProps: {
        radius: "md",
        padding: 24,
        size: "28rem",
        centered: true,
        overlayProps: { color: "#140e1c", backgroundOpacity: 0.55, blur: 0 },
        // The overlay covers the page. A scroll lock would shift it by the scroll bar's width.
        lockScroll: false,
        // The head of a dialog is not a banner of the page.
        attributes: { header: { role: "presentation" } },
        closeButtonProps: { "aria-label": "Close", size: "2.75rem", iconSize: "1.25rem" },
        transitionProps: { duration: 160 },
        // Mantine focuses the first field without scrolling to it.
        onEnterTransitionEnd: () => document.activeElement?.scrollIntoView?.({ block: "nearest" }),
      },
    }),
  },
});
