"""Named mistakes in question 03.1."""


# %% book_size: a code counted as 512 bits
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 512)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% bytes: a code counted as one byte
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 3 / 256
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% in_bits: costs under the uniform prior in bits
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log2(512)
bits = 88.33 / math.log(2) / 784


# %% kernel_places: kernels that reach k places back, not k - 1
# loses: one stack, three stacks, depth
field = 2047
milliseconds = (1 + 3 * 2046) / 16
doubled = 9
plain = 261
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% kernel_two: a kernel of size 2 in place of 3
# loses: depth
field = 1024
milliseconds = 191.875
doubled = 10
plain = 783
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% last_layer: the reach of the last layer alone
# loses: one stack, three stacks, depth
field = 513
milliseconds = 513 / 16
doubled = 10
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% log_of_product: the logarithm of 49 times 512
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = math.log(49 * 512)
bits = 88.33 / math.log(2) / 784


# %% nats_per_pixel: nats per pixel
# loses: bits
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / 784


# %% no_dilation: layers counted as if they had no dilation
# loses: one stack, three stacks
field = 11
milliseconds = 31 / 16
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% no_overlap: layers whose inputs do not overlap
# loses: depth
field = 1024
milliseconds = 191.875
doubled = 9
plain = 262
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% not_whole: a number of layers that is not rounded up to a whole one
# loses: depth
field = 1024
milliseconds = 3070 / 16
doubled = math.log2(783 / 2 + 1)
plain = 783 / 2
smaller = 64 * 64 * 3 * 8 / (16 * 16 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / 784 / math.log(2)


# %% one_channel: an image of one channel
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 8 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% one_code: one code for the whole grid
# loses: codes
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / 9
uniform = math.log(512)
bits = 88.33 / math.log(2) / 784


# %% per_image: bits per image
# loses: bits
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2)


# %% powers_of_three: receptive fields of 3, 9, 27, ...: dilations that triple
# loses: depth
field = 1024
milliseconds = 191.875
doubled = 7
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% rounded_down: a number of layers rounded down
# loses: depth
field = 1024
milliseconds = 191.875
doubled = 8
plain = 391
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% seconds: seconds in place of milliseconds
# loses: three stacks
field = 1024
milliseconds = 3070 / 16000
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% stacks_times: three times the receptive field of one stack
# loses: three stacks
field = 1024
milliseconds = 3 * 1024 / 16
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784


# %% times_ln2: nats multiplied by ln 2
# loses: bits
field = 1024
milliseconds = 191.875
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 * math.log(2) / 784


# %% without_present: places before t counted without t itself
# loses: one stack, three stacks
field = 1023
milliseconds = 3069 / 16
doubled = 9
plain = 392
smaller = 64 * 64 * 24 / (256 * 9)
uniform = 49 * math.log(512)
bits = 88.33 / math.log(2) / 784
