class Bsp2gltf < Formula
  desc "Convert compiled game maps (.bsp) to glTF 2.0 and OBJ"
  homepage "https://github.com/bsp2gltf/bsp2gltf"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{.Archives.macosarm64.URL}}"
      sha256 "{{.Archives.macosarm64.SHA256}}"
    end
    on_intel do
      url "{{.Archives.macosamd64.URL}}"
      sha256 "{{.Archives.macosamd64.SHA256}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Archives.linuxarm64.URL}}"
      sha256 "{{.Archives.linuxarm64.SHA256}}"
    end
    on_intel do
      url "{{.Archives.linuxamd64.URL}}"
      sha256 "{{.Archives.linuxamd64.SHA256}}"
    end
  end

  def install
    bin.install "bsp2gltf"
    man1.install "man/bsp2gltf.1"
    bash_completion.install "completions/bsp2gltf.bash" => "bsp2gltf"
    zsh_completion.install "completions/_bsp2gltf"
    fish_completion.install "completions/bsp2gltf.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bsp2gltf --version")
  end
end
