/** Files dropped anywhere go to whatever the page wants of them; where it wants nothing, they become documents. */
import { Group, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useMayWrite } from "../access/AccessProvider.tsx";
import { useUploads } from "../uploads/UploadsProvider.tsx";

interface DropTarget {
  /** Like "Drop PDFs to add them to this batch". */
  label: string;
  onFiles(files: File[]): void;
}

const DropTargetContext = createContext<{
  target: DropTarget | null;
  setTarget(target: DropTarget | null): void;
} | null>(null);

export function DropTargetProvider({ children }: { children: ReactNode }) {
  const [target, setTarget] = useState<DropTarget | null>(null);
  return <DropTargetContext value={{ target, setTarget }}>{children}</DropTargetContext>;
}

function useDropTargets() {
  const targets = useContext(DropTargetContext);
  if (!targets) throw new Error("Drop targets are for what stands inside a DropTargetProvider");
  return targets;
}

/** Takes files that are dropped anywhere, as long as the component is shown. */
export function useDropTarget(label: string, onFiles: (files: File[]) => void): void {
  const { setTarget } = useDropTargets();
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    setTarget({ label, onFiles: (files) => latest.current(files) });
    return () => setTarget(null);
  }, [label, setTarget]);
}

export function DropAnywhere() {
  const { target } = useDropTargets();
  const { add } = useUploads();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const takeDocuments = (files: File[]) => {
    add(files);
    void navigate({ to: "/documents" });
  };
  return (
    <Dropzone.FullScreen onDrop={target?.onFiles ?? takeDocuments} activateOnClick={false} active={mayWrite}>
      <Group justify="center" align="center" mih="60vh" style={{ pointerEvents: "none" }}>
        <IconUpload size={40} aria-hidden />
        <Text size="xl">{target?.label ?? "Drop files to add them as documents"}</Text>
      </Group>
    </Dropzone.FullScreen>
  );
}
